import { isUnderWay } from '@holdfast/contract/run-status';
import type { Run } from '@holdfast/contract/monitoring';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';

/** What of a run is said aloud: its next stage and its end. Counts and percentages would never stop talking. */
export function useRunNews(): (before: Run, now: Run) => string | null {
  const text = useText();
  const codeText = useCodeText();
  return (before, now) => {
    const job = now.jobName;
    if (!isUnderWay(now)) return isUnderWay(before) ? text('monitoring.ended', { job, status: text(`status.${now.status}`) }) : null;
    if (now.stage === '' || now.stage === before.stage) return null;
    return text('monitoring.stageChanged', { job, stage: codeText(now.stage) });
  };
}
