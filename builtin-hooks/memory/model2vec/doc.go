// Package model2vec reads static models as Model2Vec and sentence-transformers write
// them, and converts them to the file that package static searches with:
//
//	s, err := model2vec.Open(dir)          a folder, or its model.safetensors
//	defer s.Close()
//	head, err := s.Convert(w)              the file, to w
//
// A model is three files: model.safetensors with the vectors (F64, F32, F16, BF16 or I8) and,
// if present, the weight and the row of each token; tokenizer.json, which says how to split a
// text; and config.json. They come from strangers, so everything is checked, they are read
// within limits, and no link leads out of their folder, except to the blobs of the library that
// downloads models, which stores them that way. An error names the file and the place.
package model2vec
