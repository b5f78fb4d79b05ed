/** A person, mailbox or site as it is told apart from others of its name. */
export function nameWithAddress({ name, address }: { readonly name: string; readonly address: string }): string {
  return address === '' ? name : `${name} (${address})`;
}
