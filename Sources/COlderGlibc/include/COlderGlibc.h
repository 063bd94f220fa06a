// Links the functions of COlderGlibc.c into a program.
#pragma once
