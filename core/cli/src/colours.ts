import { isatty } from 'node:tty'
import pico from 'picocolors'

/** Colours at a terminal, plain text elsewhere; left to itself, the library also colours what a CI server captures. */
export const colours = pico.createColors(isatty(process.stdout.fd) && process.stdout.hasColors())
