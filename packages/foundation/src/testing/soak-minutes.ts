/** How long a soak lasts; what it lasts without being asked is its own. No setting of the product, which refuses names it does not know. */
export function soakMinutes(unasked: number): number {
  const asked = Number(process.env['TEST_SOAK_MINUTES'] ?? 0);
  return asked > 0 ? asked : unasked;
}
