#include "common/signals.hpp"

#include <atomic>
#include <chrono>

#include "bindings/bindings.hpp"

namespace featrank {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t WORK_A_LOOK = 1 << 16;
constexpr std::chrono::milliseconds BETWEEN_LOOKS(50);

// Work that several threads share: the one that gets the signal asks the others to end.
struct Stop {
    std::atomic<bool> asked{false};
};

struct Watch {
    std::size_t work = 0;
    const Stop* stop = nullptr;
    Clock::time_point next{};
};

thread_local Watch watch;

// Python runs handlers of signals on the main thread alone, and only when asked to.
void ask_python() {
    const Clock::time_point now = Clock::now();
    if (now < watch.next) return;
    watch.next = now + BETWEEN_LOOKS;
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void look_for_signals(std::size_t work) {
    watch.work += work;
    if (watch.work < WORK_A_LOOK) return;
    watch.work = 0;
    if (watch.stop == nullptr)
        ask_python();
    else if (watch.stop->asked)
        throw std::runtime_error("featrank kernel: stopped");
}

void bind_signals(nb::module_& m) {
    nb::class_<Stop>(m, "Stop").def(nb::init<>()).def("ask", [](Stop& stop) {
        stop.asked = true;
    }).def("__enter__", [](const Stop& stop) {
        watch.stop = &stop;
    }).def("__exit__", [](const Stop&, nb::args) { watch.stop = nullptr; });
}

}  // namespace featrank
