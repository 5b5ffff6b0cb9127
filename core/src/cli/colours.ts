import pico from 'picocolors'

/** Colours at a terminal, plain text elsewhere; left to itself, the library also colours what a CI server captures. */
export const colours = pico.createColors(process.stdout.isTTY && process.stdout.hasColors())
