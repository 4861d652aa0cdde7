// What the device paths of runs cost against the hardware: elementwise bandwidth, bodies as steps, products against cuBLAS alone.
#pragma once

namespace gg::cuda {

/// Prints one line a figure. Returns the exit code.
int print_throughput();

}  // namespace gg::cuda
