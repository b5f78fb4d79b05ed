import type { Evidence } from '@holdfast/contract/reporting';
import { useCodeText } from './use-code-text.ts';
import { useFormat } from './use-text.ts';

/** What deviates, a line for each kind with how often it was found. */
export function useFindingsText(): (findings: Evidence['findings']) => readonly string[] {
  const codeText = useCodeText();
  const format = useFormat();
  return (findings) => findings.map(({ code, count }) => `${codeText(code)} (${format.count(count)})`);
}
