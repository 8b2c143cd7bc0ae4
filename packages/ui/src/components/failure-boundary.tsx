import { Component, type ReactNode } from 'react';

interface FailureBoundaryProps {
  /** The replacement of a failed subtree, such as a file that could not be loaded. */
  fallback: (retry: () => void) => ReactNode;
  children: ReactNode;
}

/** Keeps a failed part from taking the page with it. Trying again loads the page again: a failed file stays failed. */
export class FailureBoundary extends Component<FailureBoundaryProps, { isFailed: boolean }> {
  override state = { isFailed: false };

  static getDerivedStateFromError() {
    return { isFailed: true };
  }

  override render() {
    return this.state.isFailed ? this.props.fallback(() => location.reload()) : this.props.children;
  }
}
