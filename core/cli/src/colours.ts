import { isatty } from 'node:tty'
import pico from 'picocolors'

/** Colours at a terminal only; by default, the library also colours output that a CI server captures. */
export const colours = pico.createColors(isatty(process.stdout.fd) && process.stdout.hasColors())
