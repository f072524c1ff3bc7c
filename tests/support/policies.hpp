/// @file
/// Policies that are made of others.
#pragma once

#include <npuzzle/search/engine/parts.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include <cstddef>

namespace test {

struct Buckets : npuzzle::DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = npuzzle::BucketOpenList<Priority, Cost, Key>;
};
struct Ladder : npuzzle::DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = npuzzle::LadderOpenList<Priority, Cost, Key>;
};
struct Indexed : npuzzle::DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = npuzzle::IndexedNodeTable<P, Estimate>;
};

/// The open list of one policy, the node table of another, and batches of a width.
template <class List, class Table, std::size_t width = 0>
struct Combined : List {
    template <class P, class Estimate>
    using NodeTable = typename Table::template NodeTable<P, Estimate>;
    static constexpr std::size_t batch_width = width;
};

using HeapAndPooled = Combined<npuzzle::HeapPolicy, npuzzle::PooledPolicy>;
using HeapAndPacked = Combined<npuzzle::HeapPolicy, npuzzle::DefaultPolicy>;
using HeapAndIndexed = Combined<npuzzle::HeapPolicy, Indexed>;
using HeapAndTree = Combined<npuzzle::HeapPolicy, npuzzle::ParentOnly>;
using BucketsAndTree = Combined<Buckets, npuzzle::ParentOnly>;
using LadderAndPooled = Combined<Ladder, npuzzle::PooledPolicy>;
template <std::size_t width = 0>
using BucketsAndPooled = Combined<Buckets, npuzzle::PooledPolicy, width>;
template <std::size_t width = 0>
using BucketsAndPacked = Combined<Buckets, npuzzle::DefaultPolicy, width>;
template <std::size_t width = 0>
using BucketsAndIndexed = Combined<Buckets, Indexed, width>;

} // namespace test
