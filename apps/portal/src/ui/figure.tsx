import { Card, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactElement, ReactNode } from 'react';

const useStyles = makeStyles({
  // A number that leads to its list looks like the number beside it.
  value: { fontVariantNumeric: 'tabular-nums', '& a': { fontSize: 'inherit', fontWeight: 'inherit', lineHeight: 'inherit' } },
  label: { color: tokens.colorNeutralForeground2 },
});

/** One number that matters, with what it counts. */
export function Figure({
  label,
  value,
  hint,
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly hint?: ReactNode;
}): ReactElement {
  const styles = useStyles();
  return (
    <Card>
      <Text className={styles.label}>{label}</Text>
      <Text size={700} weight="semibold" className={styles.value}>
        {value}
      </Text>
      {hint !== undefined && <Text size={200}>{hint}</Text>}
    </Card>
  );
}
