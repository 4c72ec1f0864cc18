// Functions of libraries that are loaded when the first of them is called: most commands need none of them, and loading them
// takes two thirds of the instructions of a start.
//
// They have the names that the libraries' own headers declare, so callers do not know. Where the system links libraries by other
// means (macOS), there is nothing here.
#ifndef CSLIPCASTLATER_H
#define CSLIPCASTLATER_H
#endif
