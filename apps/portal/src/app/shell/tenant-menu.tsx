import { Button, Menu, MenuItemRadio, MenuList, MenuPopover, MenuTrigger, Text, makeStyles, tokens } from '@fluentui/react-components';
import { BuildingRegular } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { SwitchTenantDialog, useTenant, useTenants } from '../../features/tenants/index.ts';
import { useState } from 'react';
import { narrowScreen } from '../../ui/theme.ts';
import { useText } from '../../i18n/use-text.ts';

const useStyles = makeStyles({
  // Its room is kept before the name is there.
  place: { display: 'flex', justifyContent: 'end', width: '184px', [narrowScreen]: { display: 'none' } },
  name: { display: 'inline-flex', alignItems: 'center', columnGap: tokens.spacingHorizontalXS, minWidth: 0 },
  words: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  button: { minWidth: 0, maxWidth: '100%' },
});

/** The tenant that all pages show, and the way to another one. */
export function TenantMenu(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { tenant } = useTenant();
  const { data } = useTenants();
  const may = useMay('configuration.manage');
  const [asked, setAsked] = useState<string | null>(null);
  const others = data?.items ?? [];
  const label = tenant === null ? text('shell.noTenant') : tenant.displayName || tenant.name;
  const target = others.find((other) => other.tenantId === asked) ?? null;
  // With nothing to choose it only says which one it is.
  if (!may || others.length < 2) {
    return (
      <span className={styles.place}>
        <Text size={300} className={styles.name} title={label}>
          <BuildingRegular aria-hidden />
          <span className={styles.words}>{label}</span>
        </Text>
      </span>
    );
  }
  return (
    <span className={styles.place}>
      <Menu
        checkedValues={{ tenant: tenant === null ? [] : [tenant.tenantId] }}
        onCheckedValueChange={(_event, { checkedItems }) => {
          const chosen = checkedItems[0];
          if (chosen !== undefined && chosen !== tenant?.tenantId) setAsked(chosen);
        }}
      >
        <MenuTrigger disableButtonEnhancement>
          <Button appearance="subtle" icon={<BuildingRegular />} className={styles.button} title={label}>
            <span className={styles.words}>{label}</span>
          </Button>
        </MenuTrigger>
        <MenuPopover>
          <MenuList>
            {others.map((other) => (
              <MenuItemRadio key={other.tenantId} name="tenant" value={other.tenantId}>
                {other.displayName || other.name}
              </MenuItemRadio>
            ))}
          </MenuList>
        </MenuPopover>
      </Menu>
      {target !== null && <SwitchTenantDialog tenant={target} onClose={() => setAsked(null)} />}
    </span>
  );
}
