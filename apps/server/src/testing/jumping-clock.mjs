import { readFileSync, writeFileSync } from 'node:fs';

// Loaded into a server before it: its wall clock is wrong by as many milliseconds as a file says. A second file tells
// by how many it is wrong, so that nobody takes a moment for certain in which the clock is about to jump.
const Real = Date;
const file = process.env['TEST_CLOCK_FILE'] ?? '';
let offsetMs;

function wanted() {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

function look() {
  const before = offsetMs;
  offsetMs = wanted();
  if (offsetMs !== before) writeFileSync(`${file}.seen`, String(offsetMs));
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
