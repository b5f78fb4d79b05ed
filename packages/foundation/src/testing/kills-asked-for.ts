/** The share of the real kills of a run that a proof makes; what it makes without being asked is its own. No setting of the product, which refuses names it does not know. */
export function killsAskedFor(share: number, unasked: number): number {
  const asked = Number(process.env['TEST_KILLS'] ?? 0);
  return asked > 0 ? Math.max(unasked, Math.ceil(asked * share)) : unasked;
}
