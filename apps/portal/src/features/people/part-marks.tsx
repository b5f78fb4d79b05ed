import { makeStyles, tokens } from '@fluentui/react-components';
import { CheckmarkCircleFilled, CircleHalfFillRegular, ProhibitedRegular, DismissCircleFilled } from '@fluentui/react-icons';
import type { FluentIcon } from '@fluentui/react-icons';
import type { ProtectablePart } from '@holdfast/contract/people';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { spokenOnly } from '../../ui/theme.ts';
import { WorkloadIcon } from '../../ui/workload-look.tsx';

const signs: Readonly<Record<ProtectablePart['state'], FluentIcon>> = {
  protected: CheckmarkCircleFilled,
  partly: CircleHalfFillRegular,
  unprotected: DismissCircleFilled,
  excluded: ProhibitedRegular,
};

const useStyles = makeStyles({
  list: { display: 'flex', columnGap: tokens.spacingHorizontalM, listStyleType: 'none', margin: 0, padding: 0 },
  part: { display: 'inline-flex', alignItems: 'center', columnGap: '2px' },
  spoken: spokenOnly,
  protected: { color: tokens.colorPaletteGreenForeground1 },
  partly: { color: tokens.colorPaletteMarigoldForeground2 },
  unprotected: { color: tokens.colorPaletteRedForeground1 },
  excluded: { color: tokens.colorNeutralForeground3 },
});

/** What of somebody is kept, as small pictures: each workload with how well it is protected. */
export function PartMarks({ parts }: { readonly parts: readonly ProtectablePart[] }): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <ul className={styles.list}>
      {parts.map((part) => {
        const Sign = signs[part.state];
        const words = `${text(`common.${part.workload}`)}: ${text(`status.${part.state}`)}`;
        return (
          <li key={`${part.kind} ${part.graphId}`} className={styles.part} title={words}>
            <WorkloadIcon workload={part.workload} />
            <Sign aria-hidden className={styles[part.state]} fontSize={14} />
            <span className={styles.spoken}>{words}</span>
          </li>
        );
      })}
    </ul>
  );
}
