function stepsOf(version: string): readonly [number, number] | undefined {
  const found = /^(\d+)\.(\d+)/.exec(version);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

/** During an update versions may differ by one step: the same major number, minor numbers next to each other. */
export function worksWith(one: string, other: string): boolean {
  const [a, b] = [stepsOf(one), stepsOf(other)];
  return a !== undefined && b !== undefined && a[0] === b[0] && Math.abs(a[1] - b[1]) <= 1;
}
