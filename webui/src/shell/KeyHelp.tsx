import { Modal, ModalBody, ModalHeader, ModalVariant } from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

import { useDeclarations } from '../declarations/declarations';
import { resourceTitle } from '../declarations/labels';
import { SHORTCUTS } from './navigation';

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { find } = useDeclarations();
  const pages: Record<string, string> = {
    '/': t('Dashboard'),
    '/hosts': t('Hosts and paths'),
    '/performance': t('Performance'),
  };
  const keys: [string, string][] = [
    ['Ctrl K', t('Search or do')],
    ['/', t('Filter the list')],
    ['j k', t('Next and previous row')],
    ['x', t('Select the row')],
    ['Enter', t('Open the row')],
    ['?', t('This help')],
    ...Object.entries(SHORTCUTS)
      .filter(([, page]) => page in pages || find(page.slice(1)))
      .map(([key, page]): [string, string] => [
        `g ${key}`,
        pages[page] ?? resourceTitle(t, page.slice(1)),
      ]),
  ];
  return (
    <Modal isOpen variant={ModalVariant.small} onClose={onClose} aria-labelledby="keys-title">
      <ModalHeader labelId="keys-title" title={t('Keys')} />
      <ModalBody>
        <dl className="keys">
          {keys.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </ModalBody>
    </Modal>
  );
}
