import { Segmented } from '@krapao/ui/components/segmented.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Moon, Smartphone, Sun } from 'lucide';
import { useState } from 'react';
import { config } from '../../platform/config.ts';
import { applyTheme, readTheme, type Theme } from '../../platform/preferences.ts';
import { writeCookie } from '../../platform/storage.ts';

/** Applies a theme and keeps it; `system` needs no cookie. */
function chooseTheme(theme: Theme): void {
  writeCookie('theme', theme === 'system' ? null : theme, config.isFramed);
  applyTheme(theme);
}

/** Light, dark, or as the device has it. */
export function ThemeSwitch() {
  const { t } = useText();
  const [theme, setTheme] = useState(readTheme);
  const options = [
    { value: 'light', label: t('theme.light'), icon: Sun },
    { value: 'dark', label: t('theme.dark'), icon: Moon },
    { value: 'system', label: t('theme.system'), icon: Smartphone },
  ] as const;
  const change = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return <Segmented label={t('theme.title')} options={options} value={theme} onChange={change} />;
}
