import { composeGate } from './gate.ts';
import type { Ground } from './ground.ts';
import { composePages } from './pages.ts';
import { composeWork } from './work.ts';

/** Every feature of a process by its name, in the order in which they start. */
export function composeFeatures(ground: Ground) {
  const gate = composeGate(ground);
  const { resources, contentOpened, ...work } = composeWork(ground, gate);
  return { ...gate, ...work, ...composePages(ground, gate, { ...work, resources, contentOpened }) };
}
