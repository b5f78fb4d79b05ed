import { Button, Menu, MenuItemRadio, MenuList, MenuPopover, MenuTrigger, Text, makeStyles } from '@fluentui/react-components';
import { BuildingRegular } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { SwitchTenantDialog, useTenant, useTenants } from '../../features/tenants/index.ts';
import { useState } from 'react';
import { narrowScreen } from '../../ui/theme.ts';
import { useText } from '../../i18n/use-text.ts';

const useStyles = makeStyles({ name: { [narrowScreen]: { display: 'none' } } });

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
      <Text size={300} className={styles.name}>
        <BuildingRegular aria-hidden /> {label}
      </Text>
    );
  }
  return (
    <>
      <Menu
        checkedValues={{ tenant: tenant === null ? [] : [tenant.tenantId] }}
        onCheckedValueChange={(_event, { checkedItems }) => {
          const chosen = checkedItems[0];
          if (chosen !== undefined && chosen !== tenant?.tenantId) setAsked(chosen);
        }}
      >
        <MenuTrigger disableButtonEnhancement>
          <Button appearance="subtle" icon={<BuildingRegular />}>
            {label}
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
    </>
  );
}
