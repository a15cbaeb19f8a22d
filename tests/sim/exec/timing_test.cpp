// Times that can be solved by hand. Each case states the system and what is to be expected.
#include "sim/exec/executor.hpp"
#include "tests/sim/exec/script.hpp"
#include "tests/support/catch.hpp"

using namespace memsim::sim;
using namespace memsim::test;

namespace {

constexpr RunOptions with_spans{.record_spans = true};

}  // namespace

TEST_CASE("a kernel lasts its latency and then until the last of its demands is met") {
  // System: launch 5 ps; kernel: 10 ps latency, then 100 ps of compute beside 60 bytes of HBM.
  // Expect: the stream is empty for 5, passes 10, is bound by compute for 100.
  Script script;
  const auto kernel = script.work("kernel", 10, {{hbm, 60}, {compute, 100}});
  script.thread().launch(0, kernel);
  Rig rig;
  rig.placement.driver.launch = ps(5);
  const Run run = rig.run(script.program(), with_spans);
  CHECK(run.end == at(115));
  CHECK(story(run, 0) == "launch 5, finished 110");
  CHECK(story(run, 1) == "host 5, latency 10, work 100");
  CHECK(spans_of(run, 1).back().route == compute);
  CHECK(spans_of(run, 1).back().label == 0);
}

TEST_CASE("of demands that are met at the same instant the first one is what bound the work") {
  Script script;
  const auto kernel = script.work("kernel", 0, {{hbm, 100}, {compute, 100}});
  script.thread().launch(0, kernel);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(run.end == at(100));
  CHECK(spans_of(run, 1).back().route == hbm);
}

TEST_CASE("a work without demands ends after its latency") {
  Script script;
  const auto kernel = script.work("kernel", 30);
  script.thread().launch(0, kernel).launch(0, kernel);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(run.end == at(60));
  CHECK(story(run, 1) == "latency 30, latency 30");
}

TEST_CASE("the latency of the route that bounds a work counts as its latency") {
  // System: the link up has 7 ps latency; copy of 10 bytes at 1 byte per 10 ps, 3 ps of its own.
  Script script;
  const auto copy = script.work("copy", 3, {{link_up, 10}});
  script.thread().launch(0, copy);
  Rig rig;
  rig.placement.routes[link_up].latency = ps(7);
  const Run run = rig.run(script.program(), with_spans);
  CHECK(run.end == at(110));
  CHECK(story(run, 1) == "latency 10, work 100");
}

TEST_CASE("kernels on two streams share the HBM and both take twice as long") {
  // System: two kernels of 1000 bytes each, launched at once. Expect: half the rate, 2000 ps.
  Script script;
  script.streams = 2;
  const auto kernel = script.work("kernel", 0, {{hbm, 1000}});
  script.thread().launch(0, kernel).launch(1, kernel);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(run.end == at(2000));
  CHECK(story(run, 1) == "work 2000");
  CHECK(story(run, 2) == "work 2000");
}

TEST_CASE("a kernel that comes later shares only what is left of the first one") {
  // System: launches take 500 ps; A (1000 bytes) starts at 500, B (1000 bytes) at 1000.
  // Expect: A has 500 bytes left at 1000 and needs 1000 ps for them, until 2000; B then has 500
  // bytes left and the HBM for itself, until 2500.
  Script script;
  script.streams = 2;
  const auto kernel = script.work("kernel", 0, {{hbm, 1000}});
  script.thread().launch(0, kernel).launch(1, kernel);
  Rig rig;
  rig.placement.driver.launch = ps(500);
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 1) == "host 500, work 1500, finished 500");
  CHECK(story(run, 2) == "host 1000, work 1500");
}

TEST_CASE("a copy runs beside a kernel and slows it by the HBM that it takes") {
  // System: copy of 100 bytes over the link (1000 ps) and a kernel of 1800 bytes of HBM; both start
  // at 0. Expect: the link gives the copy 0.1 byte/ps, the kernel gets 0.9: 900 bytes until 1000,
  // the other 900 alone until 1900.
  Script script;
  script.streams = 2;
  const auto copy = script.work("copy", 0, {{link_up, 100}}, 0);
  const auto kernel = script.work("kernel", 0, {{hbm, 1800}});
  script.thread().launch(1, copy).launch(0, kernel);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 1) == "work 1900");
  CHECK(story(run, 2) == "work 1000, finished 900");
}

TEST_CASE("a stream is launch bound when its kernels are shorter than their launches") {
  // System: three kernels of 10 ps, launches of 50 ps each.
  Script script;
  const auto kernel = script.work("kernel", 10);
  script.thread().launch(0, kernel).launch(0, kernel).launch(0, kernel);
  Rig rig;
  rig.placement.driver.launch = ps(50);
  const Run run = rig.run(script.program(), with_spans);
  CHECK(run.end == at(160));
  CHECK(story(run, 1) == "host 50, latency 10, host 40, latency 10, host 40, latency 10");
}

TEST_CASE("an operation that stands for several launches pays for each of them") {
  Script script;
  const auto kernel = script.work("kernel", 10);
  script.thread().launch(0, kernel, 4);
  Rig rig;
  rig.placement.driver.launch = ps(50);
  CHECK(story(rig.run(script.program(), with_spans), 0) == "launch 200, finished 10");
}

TEST_CASE("a copy costs its thread what its own call costs, where that is known") {
  // System: launches of 50 ps, copies of 70 ps.
  Script script;
  const auto kernel = script.work("kernel", 10);
  const auto copy = script.work("copy", 10, {}, 0);
  script.thread().launch(0, kernel).launch(0, copy);
  Program program = script.program();
  program.works[copy].kind = WorkKind::copy;
  Rig rig;
  rig.placement.driver.launch = ps(50);
  rig.placement.driver.copy = ps(70);
  CHECK(story(rig.run(program, with_spans), 0) == "launch 50, launch 70, finished 10");
}

TEST_CASE("a launch waits while the queue of its stream is full") {
  // System: a queue of two, kernels of 100 ps, launches of 10 ps.
  // Expect: the third launch waits for the end of the first kernel (at 110), the fourth for that
  // of the second (at 210).
  Script script;
  const auto kernel = script.work("kernel", 100);
  for (int i = 0; i < 4; ++i) script.thread().launch(0, kernel);
  Rig rig;
  rig.placement.driver.launch = ps(10);
  rig.placement.driver.queue_depth = 2;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) ==
        "launch 10, launch 10, device 90, launch 10, device 90, launch 10, finished 190");
  CHECK(story(run, 1) == "host 10, latency 100, latency 100, latency 100, latency 100");
}

TEST_CASE("a stream waits for an event of another stream") {
  // System: stream 0 runs 100 ps; stream 1 first runs 30 ps, then waits for the event behind
  // stream 0's kernel, then runs 20 ps.
  Script script;
  script.streams = 2;
  script.events = 1;
  const auto first = script.work("first", 100);
  const auto second = script.work("second", 30);
  const auto third = script.work("third", 20);
  script.thread().launch(0, first).record(0, 0).launch(1, second).wait(1, 0).launch(1, third);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(run.end == at(120));
  CHECK(story(run, 2) == "latency 30, event 70, latency 20");
}

TEST_CASE("waits for events that are done, of their own stream or never recorded hold nothing up") {
  Script script;
  script.streams = 2;
  script.events = 3;
  const auto kernel = script.work("kernel", 10);
  script.thread().launch(0, kernel).record(0, 0).record(1, 1);
  script.thread().wait(0, 0).wait(1, 1).wait(1, 2).launch(1, kernel).launch(0, kernel);
  script.thread().synchronize_event(1).synchronize_event(2);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 1) == "latency 10, latency 10");
  CHECK(story(run, 2) == "latency 10, finished 10");
}

TEST_CASE("a stream that waits twice for what it passes at once goes on at once") {
  // System: stream 1 waits for two events of stream 0 that are done by the time it gets there.
  Script script;
  script.streams = 3;
  script.events = 3;
  const auto kernel = script.work("kernel", 10);
  const auto longer = script.work("longer", 50);
  script.thread().launch(0, kernel).record(0, 0).launch(0, kernel).record(0, 1);
  script.thread().launch(1, longer).wait(1, 0).wait(1, 1).launch(1, kernel).record(1, 2);
  script.thread().wait(2, 2).launch(2, kernel);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 2) == "latency 50, latency 10, finished 10");
  CHECK(story(run, 3) == "event 60, latency 10");
}

TEST_CASE("a copy engine does one copy at a time, in the order of their arrival") {
  // System: three streams with one copy of 10 bytes each (100 ps on the link), all on engine 0; a
  // fourth copies the other way on engine 1.
  Script script;
  script.streams = 4;
  const auto up = script.work("up", 0, {{link_up, 10}}, 0);
  const auto down = script.work("down", 0, {{link_down, 10}}, 1);
  script.thread().launch(2, up).launch(0, up).launch(1, up).launch(3, down);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 3) == "work 100, finished 200");
  CHECK(story(run, 1) == "engine 100, work 100, finished 100");
  CHECK(story(run, 2) == "engine 200, work 100");
  CHECK(story(run, 4) == "work 100, finished 200");
}

TEST_CASE("the host's own work keeps its thread busy and shares the machine") {
  // System: the host copies 10 bytes up itself (100 ps), then waits for engine 0, which a stream
  // holds for another 100 ps.
  Script script;
  const auto up = script.work("up", 0, {{link_up, 10}}, 0);
  const auto down = script.work("down", 0, {{link_down, 10}});
  script.thread().host_work(down).launch(0, up).host_work(up);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) == "work 100, engine 100, work 100");
  CHECK(story(run, 1) == "host 100, work 100, host 100");
  CHECK(spans_of(run, 0).back().route == link_up);
}

TEST_CASE("threads wait for events, for streams and for the device") {
  // System: stream 0 has kernels of 10 and 20 ps, stream 1 one of 100 ps.
  Script script;
  script.streams = 2;
  script.events = 1;
  script.phases = {"event", "stream", "device"};
  const auto ten = script.work("ten", 10);
  const auto twenty = script.work("twenty", 20);
  const auto hundred = script.work("hundred", 100);
  script.thread().phase(0).launch(0, ten).record(0, 0).launch(0, twenty).launch(1, hundred);
  script.thread().synchronize_event(0).phase(1).synchronize_stream(0).phase(2).synchronize();
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) == "device 10, device 20, device 70");
}

TEST_CASE("a thread waits only for what was on the streams when it began to") {
  // System: thread 0 launches 100 ps and synchronises; thread 1 launches another 100 ps at 50.
  Script script;
  const auto kernel = script.work("kernel", 100);
  const auto pause = script.work("pause", 50);
  script.thread(0).launch(0, kernel).synchronize();
  script.thread(1).host_work(pause).launch(0, kernel);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) == "device 100, finished 100");
  CHECK(run.end == at(200));
}

TEST_CASE("a semaphore hands work from one thread to another") {
  // System: thread 1 produces for 40 ps a piece, three times; thread 0 consumes 2 pieces, then 1,
  // each time for 10 ps.
  Script script;
  script.semaphores = 1;
  const auto produce = script.work("produce", 40);
  const auto consume = script.work("consume", 10);
  script.thread(0).await(0, 2).host_work(consume).await(0).host_work(consume);
  script.thread(1).loop(3).host_work(produce).post(0).end_loop();
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) == "semaphore 80, latency 10, semaphore 30, latency 10");
  CHECK(story(run, 1) == "latency 40, latency 40, latency 40, finished 10");
}

TEST_CASE("a semaphore serves threads in the order of their arrival") {
  // System: thread 0 asks for 2, then thread 1 for 1; posts of 1 come at 10 and 20, of 5 at 30.
  // Expect: thread 1 may not overtake: both are served at 20 and 30.
  Script script;
  script.semaphores = 1;
  const auto pause = script.work("pause", 10);
  script.thread(0).await(0, 2).await(0, 5);
  script.thread(1).await(0, 1);
  script.thread(2).host_work(pause).post(0).host_work(pause).post(0).host_work(pause).post(0, 6);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 0) == "semaphore 20, semaphore 10");
  CHECK(story(run, 1) == "semaphore 30");
}

TEST_CASE("threads run in the order of their numbers within one instant") {
  // System: both threads launch a copy on engine 0 at 0. Expect: thread 0's goes first.
  Script script;
  script.streams = 2;
  const auto copy = script.work("copy", 100, {}, 0);
  script.thread(0).launch(1, copy);
  script.thread(1).launch(0, copy);
  Rig rig;
  const Run run = rig.run(script.program(), with_spans);
  CHECK(story(run, 3) == "latency 100, finished 100");
  CHECK(story(run, 2) == "engine 100, latency 100");
}
