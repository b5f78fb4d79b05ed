import {
  Avatar,
  Button,
  makeStyles,
  mergeClasses,
  tokens,
  Menu,
  MenuDivider,
  MenuItem,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
  Tooltip,
} from '@fluentui/react-components';
import { BeakerFilled, LocalLanguageRegular, GlobeShieldRegular, WeatherMoonRegular } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Realm } from '../../api/client.ts';
import { usePortal } from '../../api/portal-context.ts';
import { useStore } from '../../api/store.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { useTheme } from '../../ui/theme-provider.tsx';
import { crampedScreen, themeChoices } from '../../ui/theme.ts';
import type { ThemeChoice } from '../../ui/theme.ts';
import { addresses } from '../addresses.ts';

const useStyles = makeStyles({
  choice: { minWidth: '32px', paddingInline: tokens.spacingHorizontalXS, fontWeight: tokens.fontWeightRegular },
  words: { fontSize: tokens.fontSizeBase200, [crampedScreen]: { display: 'none' } },
  staging: { color: tokens.colorPaletteMarigoldForeground2, fontWeight: tokens.fontWeightSemibold },
});

/** The words of an address before its at sign, which is what its initials are taken from. */
function nameOf(email: string): string {
  return (email.split('@')[0] ?? '').replaceAll(/[._-]+/g, ' ');
}

interface ChoiceMenuProps<Choice extends string> {
  readonly label: string;
  /** Words beside the icon. */
  readonly shown?: ReactElement;
  /** What is chosen now, where the icon alone does not say it. */
  readonly hint?: string;
  readonly icon: ReactElement;
  readonly choices: readonly { readonly value: Choice; readonly label: string; readonly lang?: string }[];
  readonly value: Choice;
  readonly onChoose: (value: Choice) => void;
}

/** One choice of several, behind a button of the top bar. */
function ChoiceMenu<Choice extends string>({ label, shown, hint, icon, choices, value, onChoose }: ChoiceMenuProps<Choice>): ReactElement {
  const styles = useStyles();
  return (
    <Menu
      checkedValues={{ choice: [value] }}
      onCheckedValueChange={(_event, { checkedItems }) => {
        const next = choices.find((choice) => choice.value === checkedItems[0]);
        if (next !== undefined) onChoose(next.value);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={hint ?? label} relationship="label">
          <Button appearance="subtle" icon={icon} className={styles.choice}>
            {shown}
          </Button>
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {choices.map((choice) => (
            <MenuItemRadio key={choice.value} name="choice" value={choice.value} lang={choice.lang}>
              {choice.label}
            </MenuItemRadio>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

const themeLabels: Readonly<Record<ThemeChoice, PhraseKey>> = {
  system: 'shell.themeSystem',
  light: 'shell.themeLight',
  dark: 'shell.themeDark',
  highContrast: 'shell.themeHighContrast',
};

export function ThemeMenu(): ReactElement {
  const text = useText();
  const { choice, choose } = useTheme();
  const choices = themeChoices.map((value) => ({ value, label: text(themeLabels[value]) }));
  return <ChoiceMenu label={text('shell.theme')} icon={<WeatherMoonRegular />} choices={choices} value={choice} onChoose={choose} />;
}

export function LanguageMenu(): ReactElement {
  const text = useText();
  const { languages } = usePortal();
  const { i18n } = useTranslation();
  const choices = [
    { value: 'en', label: text('shell.english'), lang: 'en' },
    { value: 'de', label: text('shell.german'), lang: 'de' },
  ];
  return (
    <ChoiceMenu
      label={text('shell.language')}
      icon={<LocalLanguageRegular />}
      choices={choices}
      value={i18n.language}
      onChoose={(language) => void languages.choose(language)}
    />
  );
}

export function RealmMenu(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const portal = usePortal();
  const realm = useStore(portal.realm);
  const name = text(realm === 'staging' ? 'shell.staging' : 'shell.production');
  const choices: readonly { readonly value: Realm; readonly label: string }[] = [
    { value: 'production', label: text('shell.production') },
    { value: 'staging', label: text('shell.staging') },
  ];
  return (
    <ChoiceMenu
      label={text('shell.realm')}
      shown={<span className={mergeClasses(styles.words, realm === 'staging' && styles.staging)}>{name}</span>}
      hint={text('shell.environment', { name })}
      icon={realm === 'staging' ? <BeakerFilled className={styles.staging} /> : <GlobeShieldRegular />}
      choices={choices}
      value={realm}
      onChoose={(chosen) => portal.chooseRealm(chosen)}
    />
  );
}

export function AccountMenu(): ReactElement {
  const text = useText();
  const portal = usePortal();
  const navigate = useNavigate();
  const { user } = useStore(portal.signIn.state);
  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={user?.email ?? text('shell.account')} relationship="description">
          <Button
            appearance="subtle"
            icon={<Avatar name={nameOf(user?.email ?? '')} size={28} color="colorful" aria-hidden />}
            aria-label={text('shell.account')}
          />
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          <MenuItem onClick={() => void navigate(addresses.profile)}>{text('shell.myProfile')}</MenuItem>
          <MenuItem onClick={() => void navigate(addresses.selectWorker)}>{text('shell.changeCustomer')}</MenuItem>
          <MenuItem onClick={() => void navigate(addresses.support)}>{text('shell.support')}</MenuItem>
          <MenuDivider />
          <MenuItem onClick={() => void portal.signOut.begin('signedOut')}>{text('shell.signOut')}</MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
