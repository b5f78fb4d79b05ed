/** The share of the real kills of a run that a proof makes; what it makes without being asked is its own. */
export function killsAskedFor(share: number, unasked: number): number {
  const asked = Number(process.env['HOLDFAST_TEST_KILLS'] ?? 0);
  return asked > 0 ? Math.max(unasked, Math.ceil(asked * share)) : unasked;
}
