// The host device does what the bodies say; a GPU runs the same rows (tests/gpu).
#include <gtest/gtest.h>

#include "tests/gpu/device_rows.h"

namespace gg::device {
namespace {

TEST(Devices, RowsAgreeWithTheBodies) {
  const auto device = host_device();
  int count = 0;
  for (const RowCheck& row : device_rows()) {
    EXPECT_EQ(row.run(*device), "") << row.name;
    ++count;
  }
  EXPECT_GT(count, 200);
  EXPECT_GT(device->counts.launches, 1000);
  EXPECT_GT(device->counts.products, 20);
}

TEST(Devices, CountsTransfers) {
  const auto device = host_device();
  const auto block = device->allocate(100);
  const std::vector<char> bytes(100, 'x');
  device->upload(*block, bytes.data(), 100);
  device->upload(*block, bytes.data(), 10);
  std::vector<char> back(100);
  device->download(*block, back.data(), 100);
  EXPECT_EQ(device->counts.uploads, 2);
  EXPECT_EQ(device->counts.upload_bytes, 110);
  EXPECT_EQ(device->counts.downloads, 1);
  EXPECT_EQ(device->counts.download_bytes, 100);
  EXPECT_THROW(device->upload(*block, bytes.data(), 101), Failure);
  EXPECT_THROW(device->download(*block, back.data(), 101), Failure);
}

}  // namespace
}  // namespace gg::device
