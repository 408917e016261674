import { Button, EmptyState, EmptyStateActions, EmptyStateBody } from '@patternfly/react-core';
import { Component, type ReactNode } from 'react';
import { Translation } from 'react-i18next';

/** A page that fails leaves the others and the navigation as they are. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Translation>
        {(t) => (
          <EmptyState headingLevel="h1" status="danger" titleText={t('This page failed')}>
            <EmptyStateBody>{error.message}</EmptyStateBody>
            <EmptyStateActions>
              <Button onClick={() => this.setState({ error: undefined! })}>{t('Try again')}</Button>
            </EmptyStateActions>
          </EmptyState>
        )}
      </Translation>
    );
  }
}
