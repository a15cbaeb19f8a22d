#include "validate/probe/cuda/device_probe.hpp"

int main(int argc, char** argv) {
  return memsim::probe::run_program(memsim::probe::device_probe(), argc, argv);
}
