import { readFileSync } from 'node:fs';

// Loaded into a server before it: its wall clock is wrong by as many milliseconds as a file says.
const Real = Date;
const file = process.env['TEST_CLOCK_FILE'] ?? '';
let offsetMs = 0;

function look() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offsetMs = 0;
  }
}

class Jumping extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + offsetMs);
    else super(...given);
  }

  static now() {
    return Real.now() + offsetMs;
  }
}

look();
setInterval(look, 100).unref();
globalThis.Date = Jumping;
