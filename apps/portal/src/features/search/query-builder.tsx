import { Button, Checkbox, Field, Input, makeStyles, Select, Text } from '@fluentui/react-components';
import { AddRegular, DismissRegular } from '@fluentui/react-icons';
import { fieldNames, fieldOf, type FieldName } from '@holdfast/contract/query/fields';
import { parseQuery } from '@holdfast/contract/query/parse';
import { comparisonsOf, rowComparisons, rowsOf, textOfRows, valuesOf, type QueryRow } from '@holdfast/contract/query/rows';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';

const useStyles = makeStyles({
  row: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: '8px' },
  value: { flex: '1 1 160px' },
});

interface QueryBuilderProps {
  /** The query in the box, which the rows change as they are changed by it. */
  readonly typed: string;
  readonly onChange: (query: string) => void;
}

/** The rows that stand for the text in the box; undefined while it has faults. */
function rowsOfText(typed: string): readonly QueryRow[] | undefined {
  const { query } = parseQuery(typed);
  return query && rowsOf(query);
}

const fresh: QueryRow = { isNot: false, field: null, comparison: 'contains', value: '', until: '' };

/** The query as a list of conditions. Whatever is in the box has its rows; what no row can show is one of text. */
export function QueryBuilder({ typed, onChange }: QueryBuilderProps): ReactElement {
  const text = useText();
  // A row that says nothing yet is not in the text: these rows are kept as long as they still stand for it.
  const [edited, setEdited] = useState<readonly QueryRow[]>([]);
  const rows = textOfRows(edited) === typed ? edited : rowsOfText(typed);
  if (rows === undefined) return <Text>{text('search.builder.faulty')}</Text>;
  const change = (next: readonly QueryRow[]): void => {
    setEdited(next);
    onChange(textOfRows(next));
  };
  return (
    <Stack>
      {rows.map((row, at) => (
        <Condition
          // Rows have no names: one is what stands at its place.
          key={at}
          row={row}
          place={at + 1}
          onChange={(next) => change(rows.with(at, next))}
          onRemove={() => change(rows.toSpliced(at, 1))}
        />
      ))}
      <Row>
        <Button size="small" icon={<AddRegular />} onClick={() => change([...rows, fresh])}>
          {text('search.builder.add')}
        </Button>
      </Row>
    </Stack>
  );
}

interface ConditionProps {
  readonly row: QueryRow;
  readonly place: number;
  readonly onChange: (row: QueryRow) => void;
  readonly onRemove: () => void;
}

function Condition({ row, place, onChange, onRemove }: ConditionProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const isText = row.comparison === 'query';
  const chooseField = (name: string): void => {
    const field: FieldName | null = fieldOf(name) ?? null;
    const comparisons = comparisonsOf(field);
    const comparison = comparisons.find((one) => one === row.comparison) ?? comparisons[0] ?? 'contains';
    onChange({ ...row, field, comparison, value: valuesOf(field)[0] ?? (valuesOf(row.field).length > 0 ? '' : row.value) });
  };
  return (
    <div role="group" aria-label={text('search.builder.condition', { number: place })} className={styles.row}>
      <Checkbox label={text('search.builder.not')} checked={row.isNot} onChange={() => onChange({ ...row, isNot: !row.isNot })} />
      {!isText && (
        <>
          <Field label={text('search.builder.field')}>
            <Select value={row.field ?? ''} onChange={(_event, { value }) => chooseField(value)}>
              <option value="">{text('search.builder.anywhere')}</option>
              {fieldNames.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={text('search.builder.comparison')}>
            <Select value={row.comparison} onChange={(_event, { value }) => onChange({ ...row, comparison: comparisonNamed(value) })}>
              {comparisonsOf(row.field).map((one) => (
                <option key={one} value={one}>
                  {text(`search.builder.comparisons.${one}`)}
                </option>
              ))}
            </Select>
          </Field>
        </>
      )}
      {row.comparison !== 'empty' && (
        <Value
          row={row}
          label={text(isText ? 'search.builder.comparisons.query' : 'search.builder.value')}
          onChange={(value) => onChange({ ...row, value })}
        />
      )}
      {row.comparison === 'between' && (
        <Field label={text('search.builder.until')} className={styles.value}>
          <Input value={row.until} onChange={(_event, { value }) => onChange({ ...row, until: value })} />
        </Field>
      )}
      <Button
        appearance="subtle"
        icon={<DismissRegular />}
        aria-label={text('search.builder.remove', { number: place })}
        onClick={onRemove}
      />
    </div>
  );
}

function comparisonNamed(value: string): QueryRow['comparison'] {
  return rowComparisons.find((one) => one === value) ?? 'contains';
}

interface ValueProps {
  readonly row: QueryRow;
  readonly label: string;
  readonly onChange: (value: string) => void;
}

/** The value of a condition: one of a list where there is one. */
function Value({ row, label, onChange }: ValueProps): ReactElement {
  const styles = useStyles();
  const choices = row.comparison === 'is' ? valuesOf(row.field) : [];
  return (
    <Field label={label} className={styles.value}>
      {choices.length === 0 ? (
        <Input value={row.value} onChange={(_event, { value }) => onChange(value)} />
      ) : (
        <Select value={row.value} onChange={(_event, { value }) => onChange(value)}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
