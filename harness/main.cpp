// gg-harness: dispatch, and the mapping of failures to exit codes.
#include <exception>
#include <iostream>
#include <new>

#include "harness/options.h"
#include "models/base/check.h"
#include "models/base/diag.h"

int main(int argc, char** argv) {
  constexpr int kBadInput = 3;
  constexpr int kInternal = 4;
  try {
    return gg::dispatch(argc, argv);
  } catch (const gg::InputError& error) {
    std::cerr << error.what() << "\n";
    return kBadInput;
  } catch (const std::bad_alloc&) {
    std::cerr << "gg-harness: error: out of memory [GG-U004]\n";
    return kBadInput;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return kInternal;
  }
}
