/** How often an export that is being made is looked at. */
export const pollMs = 2_000;
