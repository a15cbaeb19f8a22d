#include "sim/exec/works.hpp"

#include <algorithm>
#include <limits>

#include "sim/core/check.hpp"
#include "sim/core/int128.hpp"

namespace memsim::sim {

namespace {

// An end event names its work: the queue may have gone on to another one since.
constexpr int queue_bits = 24;
constexpr std::uint64_t queue_mask = (std::uint64_t{1} << queue_bits) - 1;

constexpr int demand_bits = 32;

}  // namespace

Works::Works(FlowNetwork& network, const std::vector<Job>& jobs, const Layout& layout)
    : network_(network), layout_(layout), runs_(layout.queues().size()), solo_(jobs.size()) {
  MEMSIM_CHECK(runs_.size() <= queue_mask, "more queues than an event can name");
  MEMSIM_CHECK(network.active_flows() == 0, "a run in a network that is in use");
  std::vector<std::uint32_t> ids;
  for (const Job& job : jobs)
    ids.insert(ids.end(), job.placement.engines.begin(), job.placement.engines.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  engines_.resize(ids.size());
  for (const Job& job : jobs) {
    std::vector<std::uint32_t>& engines = engine_of_.emplace_back();
    for (const std::uint32_t id : job.placement.engines) {
      const auto at = std::lower_bound(ids.begin(), ids.end(), id);
      engines.push_back(static_cast<std::uint32_t>(at - ids.begin()));
    }
  }
}

void Works::request(std::uint32_t queue, std::uint32_t index, Time now) {
  WorkRun& run = runs_[queue];
  MEMSIM_CHECK(run.state == WorkRun::State::none, "a queue with two works at a time");
  const JobLayout& job = layout_.job(layout_.queues()[queue].job);
  run.work = &job.program->works[index];
  run.index = index;
  run.started = Time::max();
  run.ended = Time::max();
  run.latency = run.work->latency;
  run.route = no_route;
  if (Engine* const needed = engine(queue); needed != nullptr) {
    if (needed->busy) {
      needed->waiting.push_back(queue);
      run.state = WorkRun::State::waiting;
      return;
    }
    needed->busy = true;
  }
  start(queue, now);
}

void Works::start(std::uint32_t queue, Time now) {
  WorkRun& run = runs_[queue];
  run.started = now;
  run.order = next_order_++;
  if (run.work->demands.empty()) {
    end_at(queue, now + run.latency);
    return;
  }
  if (flowing_ == 0 && !alone_) {
    const Solo& alone = solo(layout_.queues()[queue].job, run.index);
    if (alone.kind == Solo::Kind::known &&
        alone.duration <= Duration(std::numeric_limits<std::int64_t>::max() - now.value())) {
      run.last = alone.bound;
      alone_ = queue;
      end_at(queue, now + alone.duration);
      return;
    }
  }
  if (alone_) join_network(now);
  start_flows(queue, now);
}

void Works::end_at(std::uint32_t queue, Time time) {
  WorkRun& run = runs_[queue];
  run.state = WorkRun::State::timed;
  ends_.push(time, EventPhase::release, run.order << queue_bits | queue);
}

void Works::start_flows(std::uint32_t queue, Time now) {
  WorkRun& run = runs_[queue];
  const std::vector<Route>& routes = layout_.job(layout_.queues()[queue].job).placement->routes;
  run.state = WorkRun::State::flowing;
  run.unmet = static_cast<std::uint32_t>(run.work->demands.size());
  run.met.assign(run.unmet, false);
  run.last_time = Time(-1);
  for (std::uint32_t d = 0; d < run.unmet; ++d) {
    const Demand& demand = run.work->demands[d];
    const Route& route = routes[demand.route];
    network_.start(now, {.hops = route.hops,
                         .amount = demand.amount,
                         .latency = run.work->latency + route.latency,
                         .cap = route.cap,
                         .tag = std::uint64_t{queue} << demand_bits | d});
  }
  ++flowing_;
  unsettled_ = true;
}

void Works::join_network(Time now) {
  const std::uint32_t queue = *alone_;
  alone_.reset();
  start_flows(queue, runs_[queue].started);
  network_.settle(runs_[queue].started);
  for (Time next = network_.next_event(); next < now; next = network_.next_event())
    collect_early(next);
}

void Works::collect_early(Time time) {
  std::vector<std::uint32_t> ended_queues;
  collect_flows(time, ended_queues);
  MEMSIM_CHECK(ended_queues.empty(), "a work that ended before its time");
  network_.settle(time);
}

void Works::collect(Time now, std::vector<std::uint32_t>& ended_queues) {
  ended_queues.clear();
  if (flowing_ > 0 && network_.next_event() <= now) collect_flows(now, ended_queues);
  collect_timed(now, ended_queues);
  if (ended_queues.size() > 1) {
    std::sort(ended_queues.begin(), ended_queues.end(),
              [this](std::uint32_t a, std::uint32_t b) { return runs_[a].order < runs_[b].order; });
  }
  for (const std::uint32_t queue : ended_queues) release_engine(queue, now);
}

void Works::collect_flows(Time now, std::vector<std::uint32_t>& ended_queues) {
  completions_.clear();
  network_.collect(now, completions_);
  unsettled_ = true;
  for (const FlowNetwork::Completion& completion : completions_) {
    const auto queue = static_cast<std::uint32_t>(completion.tag >> demand_bits);
    const auto demand = static_cast<std::uint32_t>(completion.tag);
    WorkRun& run = runs_[queue];
    run.met[demand] = true;
    if (now > run.last_time) {
      run.last = demand;
      run.last_time = now;
    }
    if (--run.unmet > 0) continue;
    run.state = WorkRun::State::none;
    run.ended = now;
    bind(queue, run.last);
    --flowing_;
    ended_queues.push_back(queue);
  }
}

void Works::collect_timed(Time now, std::vector<std::uint32_t>& ended_queues) {
  while (ends_.next_time() == now) {
    const std::uint64_t payload = ends_.pop().payload;
    const auto queue = static_cast<std::uint32_t>(payload & queue_mask);
    WorkRun& run = runs_[queue];
    // Void if the work joined the network after this end was foreseen.
    if (run.state != WorkRun::State::timed || run.order != payload >> queue_bits) continue;
    run.state = WorkRun::State::none;
    run.ended = now;
    if (!run.work->demands.empty()) {
      bind(queue, run.last);
      alone_.reset();
    }
    ended_queues.push_back(queue);
  }
}

void Works::bind(std::uint32_t queue, std::uint32_t demand) {
  WorkRun& run = runs_[queue];
  run.route = run.work->demands[demand].route;
  const JobLayout& job = layout_.job(layout_.queues()[queue].job);
  run.latency = run.work->latency + job.placement->routes[run.route].latency;
}

Works::Engine* Works::engine(std::uint32_t queue) {
  const std::uint32_t local = runs_[queue].work->engine;
  if (local == no_engine) return nullptr;
  return &engines_[engine_of_[layout_.queues()[queue].job][local]];
}

void Works::release_engine(std::uint32_t queue, Time now) {
  Engine* const held = engine(queue);
  if (held == nullptr) return;
  if (held->waiting.empty()) {
    held->busy = false;
    return;
  }
  const std::uint32_t next = held->waiting.front();
  held->waiting.erase(held->waiting.begin());
  start(next, now);
}

bool Works::due(Time now) const {
  return ends_.next_time() == now || (flowing_ > 0 && network_.next_event() == now);
}

Time Works::next_event(Time now) {
  if (due(now)) return now;
  if (unsettled_) {
    network_.settle(now);
    unsettled_ = false;
  }
  return flowing_ > 0 ? std::min(ends_.next_time(), network_.next_event()) : ends_.next_time();
}

void Works::cut_off(Time now) {
  if (alone_) {
    join_network(now);
    if (network_.next_event() == now) collect_early(now);
  }
  for (std::uint32_t queue = 0; queue < runs_.size(); ++queue) {
    const WorkRun& run = runs_[queue];
    if (run.state != WorkRun::State::flowing) continue;
    const auto first = std::find(run.met.begin(), run.met.end(), false);
    bind(queue, static_cast<std::uint32_t>(first - run.met.begin()));
  }
}

std::string Works::describe(std::uint32_t queue) const {
  const WorkRun& run = runs_[queue];
  if (run.state == WorkRun::State::none) return "";
  if (run.state == WorkRun::State::waiting)
    return "waits for copy engine " + std::to_string(run.work->engine);
  std::string text =
      "runs work " + std::to_string(run.index) + ", which never ends: no bandwidth on";
  const std::vector<Route>& routes = layout_.job(layout_.queues()[queue].job).placement->routes;
  for (std::size_t d = 0; d < run.met.size(); ++d) {
    if (!run.met[d]) text += " " + routes[run.work->demands[d].route].name;
  }
  return text;
}

void Works::add_state(Digest& digest, Time now) {
  std::vector<std::uint32_t> started;
  for (std::uint32_t queue = 0; queue < runs_.size(); ++queue) {
    const WorkRun::State state = runs_[queue].state;
    if (state == WorkRun::State::timed || state == WorkRun::State::flowing)
      started.push_back(queue);
  }
  std::sort(started.begin(), started.end(),
            [this](std::uint32_t a, std::uint32_t b) { return runs_[a].order < runs_[b].order; });
  digest.add(started.size());
  for (const std::uint32_t queue : started) {
    const WorkRun& run = runs_[queue];
    digest.add(queue).add(run.index).add(now - run.started);
    digest.add(static_cast<std::uint32_t>(run.state));
  }
  for (const Engine& engine : engines_) {
    digest.add(engine.busy ? engine.waiting.size() + 1 : 0);
    for (const std::uint32_t queue : engine.waiting) digest.add(queue).add(runs_[queue].index);
  }
  if (flowing_ > 0) network_.add_state(digest, now);
}

const Works::Solo& Works::solo(std::uint32_t job, std::uint32_t index) {
  const JobLayout& layout = layout_.job(job);
  std::vector<Solo>& table = solo_[job];
  if (table.empty()) table.resize(layout.program->works.size());
  Solo& entry = table[index];
  if (entry.kind == Solo::Kind::unknown)
    entry = solve_alone(*layout.placement, layout.program->works[index]);
  return entry;
}

Works::Solo Works::solve_alone(const Placement& placement, const Work& work) const {
  Solo result{.kind = Solo::Kind::for_network, .bound = 0, .duration = Duration(0)};
  std::vector<ResourceId> used;
  Int128 longest = -1;
  for (std::uint32_t d = 0; d < work.demands.size(); ++d) {
    const Route& route = placement.routes[work.demands[d].route];
    Bandwidth rate = route.cap;
    for (const Hop& hop : route.hops) {
      rate = std::min(rate, network_.capacity(hop.resource) / hop.weight);
      used.push_back(hop.resource);
    }
    if (rate == Bandwidth(0)) return result;
    const Int128 amount = static_cast<Int128>(work.demands[d].amount) * picoseconds_per_second;
    const Int128 time = route.latency.value() + (amount + rate.value() - 1) / rate.value();
    if (time > longest) {
      longest = time;
      result.bound = d;
    }
  }
  std::sort(used.begin(), used.end());
  const bool shares = std::adjacent_find(used.begin(), used.end()) != used.end();
  longest += work.latency.value();
  if (shares || longest > std::numeric_limits<std::int64_t>::max()) return result;
  result.kind = Solo::Kind::known;
  result.duration = Duration(static_cast<std::int64_t>(longest));
  return result;
}

}  // namespace memsim::sim
