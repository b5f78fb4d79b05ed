import { Button, Text } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ExportList } from '../exports/index.ts';
import type { CaseProps } from './case-props.ts';
import { caseBase } from './case-words.ts';

/** What was exported from the queries of a case, by whomever. */
export function CaseExports({ tenantId, of }: CaseProps): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const toQueries = <Button onClick={() => void navigate(`${caseBase}/${of.caseId}/queries`)}>{text('exports.toQueries')}</Button>;
  return (
    <Stack>
      <Text>{text('exports.caseLead')}</Text>
      <ExportList tenantId={tenantId} caseId={of.caseId} empty={<EmptyState text={text('exports.emptyCase')} action={toQueries} />} />
    </Stack>
  );
}
