/** The scripts of the manual's pages: appearance, tabs, search, copying. */
import '@patternfly/react-core/dist/styles/base.css';
import '@patternfly/react-styles/css/components/Page/page.css';
import '@patternfly/react-styles/css/components/Masthead/masthead.css';
import '@patternfly/react-styles/css/components/Nav/nav.css';
import '@patternfly/react-styles/css/components/Tabs/tabs.css';
import '../../src/theme/tokens.css';
import './frame.css';
import './text.css';

import { startTheme, theme } from '../../src/theme/theme';
import { offerCopying } from './copying';
import { goToPlace } from './places';
import { startSearch } from './search';
import { makeTabs } from './tabs';

function offerThemes(): void {
  const choice = document.querySelector<HTMLSelectElement>('select[name=theme]')!;
  choice.value = theme.get();
  choice.addEventListener('change', () => theme.set(choice.value));
}

/** On a narrow screen the contents are hidden until a button shows them. */
function offerContents(): void {
  const button = document.querySelector<HTMLButtonElement>('.contents-button')!;
  button.addEventListener('click', () => {
    const open = document.body.classList.toggle('contents-open');
    button.setAttribute('aria-expanded', String(open));
  });
  const current = document.querySelector('#contents [aria-current]');
  current?.scrollIntoView({ block: 'nearest' });
}

startTheme();
// This script is in the head, and a module: the page is there when it runs.
offerThemes();
offerContents();
makeTabs();
offerCopying();
startSearch();
void goToPlace();
