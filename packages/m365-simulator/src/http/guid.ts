const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** True for the form that ids of the directory have. */
export function isGuid(text: string): boolean {
  return GUID.test(text);
}
