import { Button, makeStyles, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger, tokens } from '@fluentui/react-components';
import { MoreHorizontalRegular } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { useText } from '../i18n/use-text.ts';
import { printing } from './theme.ts';

/** More than this would hide the one that matters. */
const visible = 6;

const useStyles = makeStyles({
  bar: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, [printing]: { display: 'none' } },
});

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactElement;
  readonly run: () => void;
  readonly isPrimary?: boolean;
  readonly isDisabled?: boolean;
}

/** What a page can do: the primary action first, at most six, the rest behind "More". */
export function CommandBar({ commands }: { readonly commands: readonly Command[] }): ReactElement | null {
  const text = useText();
  const styles = useStyles();
  if (commands.length === 0) return null;
  const rest = commands.slice(visible);
  return (
    <div className={styles.bar} role="toolbar" aria-label={text('common.actions')}>
      {commands.slice(0, visible).map((command) => (
        <Button
          key={command.id}
          appearance={command.isPrimary === true ? 'primary' : 'secondary'}
          {...(command.icon === undefined ? {} : { icon: command.icon })}
          disabledFocusable={command.isDisabled ?? false}
          onClick={command.run}
        >
          {command.label}
        </Button>
      ))}
      {rest.length > 0 && <MoreCommands label={text('kit.moreCommands')} commands={rest} />}
    </div>
  );
}

/** Commands behind a button of three dots, for rows and overflow. */
export function MoreCommands({ label, commands }: { readonly label: string; readonly commands: readonly Command[] }): ReactElement {
  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <Button appearance="subtle" icon={<MoreHorizontalRegular />} aria-label={label} />
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {commands.map((command) => (
            <MenuItem
              key={command.id}
              {...(command.icon === undefined ? {} : { icon: command.icon })}
              disabled={command.isDisabled ?? false}
              onClick={command.run}
            >
              {command.label}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
