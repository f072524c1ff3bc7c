/// @file
/// The queues of Boost.Heap, as template arguments.
#pragma once

#include <npuzzle/search/open_list/heap.hpp>

#include <boost/heap/binomial_heap.hpp>
#include <boost/heap/d_ary_heap.hpp>
#include <boost/heap/fibonacci_heap.hpp>
#include <boost/heap/pairing_heap.hpp>
#include <boost/heap/skew_heap.hpp>

#include <tuple>

namespace test {

template <class Entry, class... Options>
using StableHeap =
    boost::heap::d_ary_heap<Entry, boost::heap::arity<2>, boost::heap::stable<true>, Options...>;

template <class Entry, class... Options>
using StablePairingHeap = boost::heap::pairing_heap<Entry, boost::heap::stable<true>, Options...>;

template <template <class...> class Queue>
struct HeapQueue {
    template <class Priority, class Cost, class Key, class TieBreak = npuzzle::GreatestCostFirst>
    using List = npuzzle::HeapOpenList<Priority, Cost, Key, TieBreak, Queue>;
};

using StableHeapQueues = std::tuple<HeapQueue<StableHeap>, HeapQueue<StablePairingHeap>>;

using HeapQueues = std::tuple<HeapQueue<npuzzle::QuaternaryHeap>, HeapQueue<StableHeap>,
                              HeapQueue<boost::heap::binomial_heap>, HeapQueue<boost::heap::fibonacci_heap>,
                              HeapQueue<boost::heap::pairing_heap>, HeapQueue<StablePairingHeap>,
                              HeapQueue<boost::heap::skew_heap>>;

} // namespace test
