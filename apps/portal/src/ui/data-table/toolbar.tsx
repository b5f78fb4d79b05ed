import { Button, Dropdown, makeStyles, Option, SearchBox, tokens } from '@fluentui/react-components';
import { FilterDismissRegular, TextColumnThreeRegular } from '@fluentui/react-icons';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { printing } from '../theme.ts';
import type { TableState } from './table-state.ts';
import type { Filter } from './types.ts';

/** A search goes to the server when the reader pauses, not at every letter. */
const pauseMs = 300;

const useStyles = makeStyles({
  root: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, alignItems: 'center', [printing]: { display: 'none' } },
  search: { minWidth: '160px', flex: '1 1 160px', maxWidth: '360px' },
  filter: { minWidth: '132px' },
  end: { display: 'flex', marginInlineStart: 'auto' },
});

export interface ToolbarProps {
  readonly label: string;
  readonly state: TableState;
  readonly filters: readonly Filter[];
  readonly isSearchable: boolean;
  readonly onChange: (change: Partial<TableState>) => void;
  /** Absent where there are no columns. */
  readonly onColumns?: () => void;
  readonly exportMenu: ReactElement | null;
}

/** Search, filters, columns and export of a table. */
export function Toolbar(props: ToolbarProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { state, filters, onChange } = props;
  const isNarrowed = state.search !== '' || Object.keys(state.filters).length > 0;
  return (
    <div className={styles.root}>
      {props.isSearchable && <TableSearch label={props.label} search={state.search} onSearch={(search) => onChange({ search })} />}
      {filters.map((filter) => (
        <FilterChoice
          key={filter.id}
          filter={filter}
          value={state.filters[filter.id] ?? ''}
          onChoose={(value) => {
            const { [filter.id]: _before, ...others } = state.filters;
            onChange({ filters: value === '' ? others : { ...others, [filter.id]: value } });
          }}
        />
      ))}
      {isNarrowed && (
        <Button appearance="subtle" icon={<FilterDismissRegular />} onClick={() => onChange({ search: '', filters: {} })}>
          {text('kit.clearFilters')}
        </Button>
      )}
      <span className={styles.end}>
        {props.onColumns !== undefined && (
          <Button appearance="subtle" icon={<TextColumnThreeRegular />} onClick={props.onColumns}>
            {text('kit.columns')}
          </Button>
        )}
        {props.exportMenu}
      </span>
    </div>
  );
}

function FilterChoice({
  filter,
  value,
  onChoose,
}: {
  readonly filter: Filter;
  readonly value: string;
  readonly onChoose: (value: string) => void;
}): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { initial } = filter;
  const all = `${filter.label}: ${text('common.all')}`;
  const chosen = filter.choices.find((choice) => choice.value === (value === '' ? initial : value));
  return (
    <Dropdown
      className={styles.filter}
      aria-label={text('kit.filterBy', { column: filter.label })}
      value={chosen === undefined ? all : `${filter.label}: ${chosen.label}`}
      selectedOptions={[chosen?.value ?? '']}
      onOptionSelect={(_event, { optionValue = '' }) => onChoose(optionValue === initial ? '' : optionValue)}
    >
      {initial === undefined && (
        <Option value="" text={all}>
          {text('common.all')}
        </Option>
      )}
      {filter.choices.map((choice) => (
        <Option key={choice.value} value={choice.value} text={choice.label}>
          {choice.label}
        </Option>
      ))}
    </Dropdown>
  );
}

function TableSearch({
  label,
  search,
  onSearch,
}: {
  readonly label: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { clock } = usePortal();
  const [typed, setTyped] = useState(search);
  const [seen, setSeen] = useState(search);
  const pause = useRef<() => void>(undefined);
  if (seen !== search) {
    // The address changed by itself: back, forward, or filters cleared.
    setSeen(search);
    setTyped(search);
  }
  useEffect(() => {
    if (typed === search) return undefined;
    pause.current = clock.after(pauseMs, () => onSearch(typed));
    return pause.current;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what was typed starts the pause anew
  }, [typed]);
  return (
    <SearchBox
      className={styles.search}
      aria-label={text('kit.searchIn', { name: label })}
      placeholder={text('common.search')}
      dismiss={{ 'aria-label': text('kit.clearSearch') }}
      value={typed}
      onChange={(_event, { value }) => setTyped(value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSearch(typed);
      }}
      // Who goes on to a row does not wait for the pause, and its end must not undo what the row leads to.
      onBlur={() => {
        pause.current?.();
        if (typed !== search) onSearch(typed);
      }}
    />
  );
}
