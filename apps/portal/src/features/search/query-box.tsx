import { Button, Link, makeStyles, Text, tokens } from '@fluentui/react-components';
import { SearchRegular } from '@fluentui/react-icons';
import type { QueryFault, QueryWarning } from '@holdfast/contract/query/faults';
import { parseQuery } from '@holdfast/contract/query/parse';
import { printQuery } from '@holdfast/contract/query/print';
import { searchBody } from '@holdfast/contract/search';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useText } from '../../i18n/use-text.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import type { SchemaForm } from '../../ui/form.tsx';
import { BesideFields, Row, Stack } from '../../ui/layout.tsx';
import { Completions } from './completions.tsx';
import { QueryBuilder } from './query-builder.tsx';
import type { StartedSearch } from './search.queries.ts';

const useStyles = makeStyles({
  query: { flex: '3 1 320px', maxWidth: '640px' },
  reason: { flex: '1 1 200px' },
  read: { fontFamily: tokens.fontFamilyMonospace, overflowWrap: 'anywhere' },
  fault: { color: tokens.colorStatusDangerForeground1 },
  mark: { textDecorationLine: 'underline', textDecorationStyle: 'wavy', textDecorationColor: tokens.colorStatusDangerForeground1 },
});

type BoxForm = SchemaForm<typeof searchBody>;

interface QueryBoxProps {
  /** What is in the box at first. */
  readonly initial: Pick<StartedSearch, 'query' | 'reason'>;
  readonly onSearch: (search: StartedSearch) => void;
}

/** The box, the reason, and beneath them how the query is read, or what is wrong with it and where. */
export function QueryBox({ initial, onSearch }: QueryBoxProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const form = useSchemaForm(searchBody, { query: initial.query, reason: initial.reason });
  return (
    <Form
      form={form}
      label={text('shell.search')}
      isWide
      onSubmit={(values) => {
        if (parseQuery(values.query).query === undefined) form.setFocus('query');
        else {
          form.reset(values);
          onSearch(values);
        }
      }}
    >
      <Row>
        <div className={styles.query}>
          <TextField name="query" label={text('search.box')} placeholder={text('search.placeholder')} autoFocus={initial.query === ''} />
        </div>
        <div className={styles.reason}>
          <TextField name="reason" label={text('search.reason')} autoFocus={initial.query !== '' && initial.reason === ''} required />
        </div>
        <BesideFields>
          <Button type="submit" appearance="primary" icon={<SearchRegular />}>
            {text('search.run')}
          </Button>
        </BesideFields>
      </Row>
      <Writing form={form} />
      <Text size={200}>{text('search.reasonHint')}</Text>
      <Reading form={form} />
    </Form>
  );
}

/** What helps to write the query: what can come next, and its conditions as rows. */
function Writing({ form }: { readonly form: BoxForm }): ReactElement {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const typed = useWatch({ control: form.control, name: 'query' });
  const write = (next: string): void => form.setValue('query', next, { shouldDirty: true });
  return (
    <Stack>
      <Completions
        typed={typed}
        onUse={(next) => {
          write(next);
          form.setFocus('query');
        }}
      />
      {isOpen && <QueryBuilder typed={typed} onChange={write} />}
      <div>
        <Button size="small" appearance="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {text(isOpen ? 'search.builder.close' : 'search.builder.open')}
        </Button>
      </div>
    </Stack>
  );
}

function Reading({ form }: { readonly form: BoxForm }): ReactElement | null {
  const text = useText();
  const styles = useStyles();
  const typed = useWatch({ control: form.control, name: 'query' });
  if (typed.trim() === '') return null;
  const { query, faults, warnings } = parseQuery(typed);
  return (
    <div role="status">
      {query === undefined ? (
        <Faults typed={typed} faults={faults} onUse={(next) => form.setValue('query', next, { shouldDirty: true })} />
      ) : (
        <Text className={styles.read} size={200}>
          {text('search.readAs', { query: printQuery(query) })}
        </Text>
      )}
      {warnings.map((warning) => (
        <Warning key={`${warning.code} ${warning.from}`} warning={warning} />
      ))}
    </div>
  );
}

function Warning({ warning }: { readonly warning: QueryWarning }): ReactElement {
  const text = useText();
  return (
    <Text size={200} block>
      {text(`search.warnings.${warning.code}`, { text: warning.text })}
    </Text>
  );
}

interface FaultsProps {
  readonly typed: string;
  readonly faults: readonly QueryFault[];
  readonly onUse: (query: string) => void;
}

/** Faults whose suggestion takes the place of what was written. */
const replacing: ReadonlySet<string> = new Set(['unknown-field', 'bad-date', 'bad-choice', 'bad-range']);

function Faults({ typed, faults, onUse }: FaultsProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <Stack>
      {faults.map((fault) => {
        const guess = fault.code === 'unknown-field' && fault.suggestion ? text('search.didYouMean', { suggestion: fault.suggestion }) : '';
        const values = { text: fault.text, suggestion: fault.suggestion ?? '', known: fault.known?.join(', ') ?? '', guess };
        return (
          <div key={`${fault.code} ${fault.from}`}>
            <Text className={styles.read} size={200} block aria-hidden>
              {typed.slice(Math.max(0, fault.from - 20), fault.from)}
              <span className={styles.mark}>{typed.slice(fault.from, fault.to)}</span>
              {typed.slice(fault.to, fault.to + 20)}
            </Text>
            <Text className={styles.fault}>{text(`search.faults.${fault.code}`, values)} </Text>
            {fault.suggestion !== null && replacing.has(fault.code) && (
              <Link as="button" type="button" onClick={() => onUse(corrected(typed, fault))}>
                {text('search.useSuggestion', { suggestion: fault.suggestion })}
              </Link>
            )}
          </div>
        );
      })}
    </Stack>
  );
}

/** The query with the suggestion in place of the fault; a field keeps its comparison. */
function corrected(typed: string, fault: QueryFault): string {
  const end = fault.code === 'unknown-field' ? fault.from + fault.text.length : fault.to;
  return `${typed.slice(0, fault.from)}${fault.suggestion ?? ''}${typed.slice(end)}`;
}
