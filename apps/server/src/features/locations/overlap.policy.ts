import type { LocationTarget } from './location-target.ts';

/**
 * Where a location lies, in one line that ends with a slash: two of them overlap exactly when one begins with the other.
 * The folder of a target is its real one, links resolved.
 */
export function placeOf(target: LocationTarget): string {
  if (target.kind === 'filesystem') return `folder:${target.path.replace(/\/+$/, '')}/`;
  const parts = target.prefix.split('/').filter((part) => part !== '');
  return ['bucket:', serverOf(target.endpoint), target.bucket, ...parts, ''].join('/');
}

/** Amazon is one place whichever of its addresses is asked: names of buckets are its own everywhere. */
function serverOf(endpoint: string): string {
  if (endpoint === '') return 'amazon';
  const { host } = new URL(endpoint);
  return /(?:^|\.)amazonaws\.com$/.test(host) ? 'amazon' : host;
}

/** The same place, or one inside the other. */
export function overlap(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** The folders or prefixes that a target is in, nearest first. */
export function targetsAbove(target: LocationTarget): LocationTarget[] {
  if (target.kind === 'filesystem') {
    const parts = target.path.split('/').filter((part) => part !== '');
    return parts.map((_, at) => ({ kind: 'filesystem' as const, path: `/${parts.slice(0, at).join('/')}` })).toReversed();
  }
  const parts = target.prefix.split('/').filter((part) => part !== '');
  return parts.map((_, at) => ({ ...target, prefix: parts.slice(0, at).join('/') })).toReversed();
}
