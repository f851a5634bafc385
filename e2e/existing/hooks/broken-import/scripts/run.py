#!/usr/bin/env python3
import json
import sys

import a_module_that_is_not_there_4711

data = json.load(sys.stdin)
if a_module_that_is_not_there_4711.check(data["tool_input"]["command"]):
    sys.exit(2)
