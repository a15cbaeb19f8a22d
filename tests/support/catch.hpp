// The one place that names Catch2's header (version 2 in Debian 12, moved in version 3).
#pragma once

#include <catch2/catch.hpp>
