// Codes between the processes of a job: the published examples of SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 4231), and secrets.
#include "runtime/transport/greeting.h"

#include <gtest/gtest.h>

#include <string>

namespace gg::job {
namespace {

std::string hex(const Digest& digest) {
  std::string text;
  for (const std::byte b : digest) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4U];
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15U];
  }
  return text;
}

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(Hmac, Sha256OfTheStandard) {
  EXPECT_EQ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", hex(sha256({})));
  EXPECT_EQ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", hex(sha256(bytes("abc"))));
  EXPECT_EQ("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            hex(sha256(bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))));
  EXPECT_EQ("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", hex(sha256(bytes(std::string(1'000'000, 'a')))));
}

TEST(Hmac, ExamplesOfTheRfc) {
  EXPECT_EQ("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            hex(hmac_sha256(bytes(std::string(20, '\x0b')), bytes("Hi There"))));
  EXPECT_EQ("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            hex(hmac_sha256(bytes("Jefe"), bytes("what do ya want for nothing?"))));
  EXPECT_EQ("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            hex(hmac_sha256(bytes(std::string(131, '\xaa')), bytes("Test Using Larger Than Block-Size Key - Hash Key First"))));
}

TEST(Hmac, OneBitMakesAnother) {
  Digest a = sha256(bytes("abc"));
  const Digest b = a;
  EXPECT_TRUE(same_digest(a, b));
  a[31] ^= std::byte{1};
  EXPECT_FALSE(same_digest(a, b));
}

TEST(Secrets, Have128BitsAndDiffer) {
  EXPECT_EQ(32U, make_secret().size());
  EXPECT_NE(make_secret(), make_secret());
}

}  // namespace
}  // namespace gg::job
