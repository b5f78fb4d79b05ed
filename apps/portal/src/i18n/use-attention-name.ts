import type { AttentionEntry } from '@holdfast/contract/dashboard';
import { useText } from './use-text.ts';

/** Whom or what an entry is about: the one it names, with how many others. */
export function useAttentionName(): (entry: AttentionEntry) => string {
  const text = useText();
  return ({ kind, name, others = 0 }) => {
    if (kind === 'request') return text('dashboard.requests', { count: others + 1 });
    return others > 0 ? text('dashboard.andOthers', { name, count: others }) : name || text('shell.auditLog');
  };
}
