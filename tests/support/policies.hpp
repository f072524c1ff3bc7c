/// @file
/// Policies that are made of others.
#pragma once

#include <npuzzle/search/engine/parts.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include <cstddef>

namespace test {

/// The open list of one policy, the node table of another, and batches of a width.
template <class List, class Table, std::size_t width = 0>
struct Combined : List {
    template <class P, class Estimate>
    using NodeTable = typename Table::template NodeTable<P, Estimate>;
    static constexpr std::size_t batch_width = width;
};

using HeapAndPooled = Combined<npuzzle::HeapPolicy, npuzzle::PooledPolicy>;
using HeapAndPacked = Combined<npuzzle::HeapPolicy, npuzzle::DefaultPolicy>;
using HeapAndIndexed = Combined<npuzzle::HeapPolicy, npuzzle::IndexedPolicy>;
using HeapAndTree = Combined<npuzzle::HeapPolicy, npuzzle::ParentOnly>;
using BucketsAndTree = Combined<npuzzle::BucketPolicy, npuzzle::ParentOnly>;
using LadderAndPooled = Combined<npuzzle::LadderPolicy, npuzzle::PooledPolicy>;
template <std::size_t width = 0>
using BucketsAndPooled = Combined<npuzzle::BucketPolicy, npuzzle::PooledPolicy, width>;
template <std::size_t width = 0>
using BucketsAndPacked = Combined<npuzzle::BucketPolicy, npuzzle::DefaultPolicy, width>;
template <std::size_t width = 0>
using BucketsAndIndexed = Combined<npuzzle::BucketPolicy, npuzzle::IndexedPolicy, width>;

} // namespace test
