import { makeStyles, Tab, TabList } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { printing } from './theme.ts';

// On a narrow screen the tabs go on in a second line instead of out of sight.
const useStyles = makeStyles({ root: { flexWrap: 'wrap', [printing]: { display: 'none' } } });

export interface TabsProps<Name extends string> {
  readonly names: readonly Name[];
  readonly selected: Name;
  readonly word: (name: Name) => string;
  readonly onSelect: (name: Name) => void;
  readonly isSmall?: boolean;
}

/** Parts of a page of which one is in sight. */
export function Tabs<Name extends string>({ names, selected, word, onSelect, isSmall = false }: TabsProps<Name>): ReactElement {
  return (
    <TabList
      className={useStyles().root}
      size={isSmall ? 'small' : 'medium'}
      selectedValue={selected}
      onTabSelect={(_event, { value }) => {
        const chosen = names.find((name) => name === value);
        if (chosen !== undefined) onSelect(chosen);
      }}
    >
      {names.map((name) => (
        <Tab key={name} value={name}>
          {word(name)}
        </Tab>
      ))}
    </TabList>
  );
}
