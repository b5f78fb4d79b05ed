/** Page after page of rows that are read in the order of their numbers, until there are no more. */
export async function* pagesOf<Row>(
  read: (after: number) => Promise<readonly Row[]>,
  numberOf: (row: Row) => number,
  from = 0,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let after = from; ;) {
    const page = await read(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = numberOf(last);
  }
}
