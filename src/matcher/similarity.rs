//! Similarity.
