import { AppError } from '@holdfast/foundation/errors';
import type { CatalogReader, RestorePoint } from '../ports/catalog.ts';
import type { Resource } from '../ports/item.ts';

/**
 * The restore point of this number, or the newest without one; `restore.no-such-point` when there is none. What "the
 * newest" is changes with each backup: whoever begins something that others may go on with asks once and keeps the answer.
 */
export async function pointOf(catalog: Pick<CatalogReader, 'points'>, source: Resource, sequence?: number): Promise<RestorePoint> {
  const points = await catalog.points(source.id);
  const point = sequence === undefined ? points.at(-1) : points.find((one) => one.sequence === sequence);
  if (!point) throw new AppError('restore.no-such-point', { details: { resource: source.name } });
  return point;
}
