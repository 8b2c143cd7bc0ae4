import './components/fonts.css';
import '@krapao/ui/style/tokens.css';
import '@mantine/core/styles.css';
import './components/console.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { firstLanguage, showLanguage } from './platform/i18n.ts';

await showLanguage(firstLanguage());
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
