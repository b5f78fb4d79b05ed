import type { ItemKind } from '../src/ports/item.ts';
import type { RestoreLine } from '../src/restore/request.ts';
import { differing, isTold, type Answered, type ToldAs } from './answered.ts';
import { differencesOf, ownedByService } from './restore-fidelity-page.ts';

export interface CopyComparison {
  readonly kind: ItemKind;
  /** The section of the page about fidelity that names what can differ. */
  readonly section: string;
  readonly toldAs?: ToldAs;
  original(line: RestoreLine): Promise<Answered>;
  copy(line: RestoreLine & { readonly targetId: string }): Promise<Answered>;
}

export interface ComparedCopies {
  /** Properties that differ and that the report does not name, each with what both sides say. */
  readonly untold: readonly string[];
  /** Differences in the report that the page does not name. */
  readonly notOnPage: readonly string[];
  /** Items that are not at the target, with the reason. */
  readonly missing: readonly string[];
  readonly count: number;
}

/** What differs between an original and its copy and is told nowhere. */
async function untoldOf(line: RestoreLine & { readonly targetId: string }, comparison: CopyComparison): Promise<readonly string[]> {
  const { kind, toldAs } = comparison;
  const owned = ownedByService(kind);
  const [original, copy] = [await comparison.original(line), await comparison.copy(line)];
  const untold = differing(original, copy).filter((name) => !owned.has(name) && !isTold(name, line.differences, toldAs));
  return untold.map((name) => `${name}: ${line.path}: ${original.get(name) ?? ''} is ${copy.get(name) ?? ''}`.slice(0, 1_000));
}

/** Compares each restored item with the one it was made from, in every property that the service answers. */
export async function compareCopies(lines: readonly RestoreLine[], comparison: CopyComparison): Promise<ComparedCopies> {
  const named = differencesOf(comparison.section);
  const ofKind = lines.filter(({ kind }) => kind === comparison.kind);
  const differences = new Set(ofKind.flatMap((line) => line.differences));
  const notOnPage = [...differences].filter((one) => !named.has(one.split(' ')[0] ?? ''));
  const untold: string[] = [];
  const missing: string[] = [];
  for (const line of ofKind) {
    const { targetId } = line;
    if (targetId === undefined) missing.push(`${line.path} ${line.code ?? ''}`);
    else untold.push(...(await untoldOf({ ...line, targetId }, comparison)));
  }
  return { untold, notOnPage, missing, count: ofKind.length };
}
